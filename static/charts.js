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

  /* A picture leaves the page, so it takes its ground and its title along. */
  const savePicture = (button) => {
    const chart = document.getElementById(button.dataset.savePicture);
    const style = getComputedStyle(chart);
    const title = {
      text: button.dataset.title, x: 0, xref: "paper", xanchor: "left", y: 1, yref: "container", yanchor: "top",
      pad: { t: 12 }, font: { size: 16, color: style.getPropertyValue("--ink").trim() },
    };
    const layout = {
      ...chart.layout, title, paper_bgcolor: style.getPropertyValue("--paper").trim(),
      margin: { ...chart.layout.margin, t: 48, r: 16, b: Math.max(16, chart.layout.margin.b) },
    };
    Plotly.downloadImage({ data: chart.data, layout }, {
      format: "png", scale: 2, filename: button.dataset.filename,
      width: Math.max(chart.clientWidth, 800), height: chart.clientHeight + 48,
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
