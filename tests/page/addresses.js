/** The connection of a page. Evaluates to an object of functions. */
({
  /** The page's words about its connection, and the welcomes that it has read. */
  watch() {
    window.banners = [];
    window.welcomes = [];
    const attend = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (kind, work) {
      attend.call(this, kind, work);
      if (kind === "message") attend.call(this, kind, ({ data }) => {
        if (data.startsWith('{"say":"welcome"')) window.welcomes.push(data);
      });
    };
    addEventListener("DOMContentLoaded", () => {
      const [banner, told] = ["connection", "connection-told"].map((id) => document.getElementById(id));
      new MutationObserver(() => {
        if (!banner.hidden) window.banners.push(told.textContent);
      }).observe(banner, { attributes: true, childList: true, subtree: true });
    });
  },
})
