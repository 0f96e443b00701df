/* Keys: / searches, g and a letter goes to a section, ? lists them, Esc closes; none while something is typed. */
"use strict";
(() => {
  const PLACES = { a: "attention", m: "month", r: "reservations", s: "sizing", p: "allocator", l: "alerts", e: "exceptions", d: "data", w: "glossary" };
  const PATIENCE = 1500; // ms between g and its letter
  let going = 0;

  const typing = (element) => Boolean(element.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]"));
  const keys = () => document.getElementById("keys-dialog");

  const go = (name) => document.querySelector(`[data-place="${name}"]`)?.click();

  const escape = (element) => {
    if (keys().open) keys().close();
    else if (typing(element)) element.blur();
  };

  const press = (event) => {
    const waited = event.timeStamp - going < PATIENCE;
    going = 0;
    if (waited && PLACES[event.key]) go(PLACES[event.key]);
    else if (event.key === "g") going = event.timeStamp;
    else if (event.key === "/") document.getElementById("search").focus();
    else if (event.key === "?") keys().open ? keys().close() : keys().showModal();
    else return;
    event.preventDefault();
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !keys()) return;
    if (event.key === "Escape") escape(event.target);
    else if (!typing(event.target)) press(event);
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens-keys]");
    if (opener && keys()) {
      event.preventDefault();
      keys().showModal();
    }
    if (event.target === keys()) keys().close();
  });
})();
