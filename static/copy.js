/* A button that copies what it names. */
"use strict";
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const label = button.dataset.label ??= button.textContent;
  const say = (word) => {
    button.textContent = word;
    document.getElementById("said").textContent = word === label ? "" : `${button.dataset.copy} ${word}`;
  };
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    say("copied");
  } catch {
    say("not copied");
  }
  setTimeout(() => say(label), 1500);
});
