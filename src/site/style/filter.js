// The search for words, the count, and an address for each selection. The lists work without this, by the style alone.
"use strict";
(() => {
  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();
  const form = document.querySelector("form.lists");
  const text = document.getElementById("text");
  const count = document.getElementById("count");
  const none = document.getElementById("none");
  const rows = [...document.querySelectorAll(".claims tbody tr")].map((row) => ({
    row,
    words: plain(`${row.textContent} ${row.dataset.statement}`),
  }));
  const lists = [...form.querySelectorAll("select")];

  const show = () => {
    // "lemma 2" is a name: a short word means something beside its neighbours only.
    const phrase = plain(text.value);
    const wanted = phrase.split(" ");
    const apart = wanted.every((word) => word.length > 2);
    let left = 0;
    for (const { row, words } of rows) {
      row.hidden = !(words.includes(phrase) || (apart && wanted.every((word) => words.includes(word))));
      const chosen = lists.every((list) => !list.value || row.dataset[list.name] === list.value);
      left += chosen && !row.hidden ? 1 : 0;
    }
    count.textContent = `${left} of ${rows.length} statements`;
    none.hidden = left > 0;
  };

  const keep = () => {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value)).toString();
    history.replaceState(null, "", query ? `#${query}` : location.pathname + location.search);
  };

  const changed = () => {
    show();
    keep();
  };

  const read = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const field of [...lists, text]) {
      field.value = asked.get(field.name) ?? "";
    }
    // A choice that does not exist is none.
    for (const list of lists.filter((list) => list.selectedIndex < 0)) {
      list.value = "";
    }
    show();
  };

  document.getElementById("words").hidden = false;
  // Not every way to choose from a list is told as input.
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("reset", () => setTimeout(changed));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", read);
  read();
})();
