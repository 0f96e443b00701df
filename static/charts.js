/* Draws the figures a page carries as JSON, when they come into view, in the colours of the theme. */
"use strict";
(() => {
  const INK = /var\((--[a-z-]+)\)/g;

  /* Figures name their colours as tokens; here they become the colours of the theme that is shown. */
  const inColours = (figure, element) => {
    const style = getComputedStyle(element);
    return JSON.parse(JSON.stringify(figure).replace(INK, (_, name) => style.getPropertyValue(name).trim()));
  };

  const figureOf = (element) => JSON.parse(document.getElementById(element.dataset.figure).textContent);

  const draw = async (element) => {
    const { data, layout } = inColours(figureOf(element), element);
    layout.font = { ...layout.font, family: getComputedStyle(document.body).fontFamily };
    try {
      await Plotly.react(element, data, layout, { displayModeBar: false, responsive: true, scrollZoom: false });
      element.classList.add("drawn");
    } catch (error) {
      element.querySelector(".waiting").textContent = "The chart could not be drawn; the table below has its numbers.";
      throw error;
    }
  };

  const savePicture = (button) => {
    const chart = document.getElementById(button.dataset.savePicture);
    Plotly.downloadImage(chart, {
      format: "png", scale: 2, filename: button.dataset.filename, width: chart.clientWidth, height: chart.clientHeight,
    });
  };

  const charts = [...document.querySelectorAll("[data-figure]")];
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      draw(target);
    }
  }, { rootMargin: "200px" });
  charts.forEach((chart) => seen.observe(chart));

  const redraw = () => charts.filter((chart) => chart.classList.contains("drawn")).forEach(draw);
  document.documentElement.addEventListener("themechange", redraw);
  addEventListener("beforeprint", () => charts.forEach(draw));
  addEventListener("afterprint", redraw);
  for (const button of document.querySelectorAll("[data-save-picture]")) {
    button.addEventListener("click", () => savePicture(button));
  }
})();
