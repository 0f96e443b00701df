/* What holds on every page: swapped pages behave like loaded ones, menus close, forms that submit themselves. */
"use strict";
(() => {
  const OPEN = "details.term[open], details.menu[open]";

  /* --- a swapped page behaves like a loaded one --------------------------- */

  /* What is no page of ours (a file, the admin) is left to the browser. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, boosted, requestConfig } = event.detail;
    const page = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html") && xhr.response.includes('<main id="main"');
    if (boosted && !page) {
      event.detail.shouldSwap = false;
      if (requestConfig.verb === "get") location.assign(xhr.responseURL || requestConfig.path);
    }
    if (!boosted && xhr.status >= 400 && page) event.detail.selectOverride = ".empty";
  });

  let left = location.pathname;
  document.addEventListener("htmx:beforeRequest", () => { left = location.pathname; });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!event.detail.boosted) return;
    const arrived = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!arrived && location.pathname !== left) {
      scrollTo(0, 0);
      document.getElementById("main").focus({ preventScroll: true });
    }
    document.getElementById("said").textContent = document.title;
  });

  /* --- menus and forms ------------------------------------------------------ */

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-submits-itself]");
    if (form) form.requestSubmit();
  });

  const close = (keep) => {
    for (const open of document.querySelectorAll(OPEN)) {
      if (!keep || !open.contains(keep)) open.open = false;
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(null);
  });
  document.addEventListener("click", (event) => close(event.target));
})();
