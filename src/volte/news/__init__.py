"""News for people who are not looking: at the page, by the browser, and by Web Push."""
