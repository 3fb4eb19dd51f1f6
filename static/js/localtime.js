/* Times arrive in UTC; people read the clock on the wall, in the page's language as their own country writes it. */
const { lang } = document.documentElement;
const own = navigator.languages.find((tag) => tag.split("-")[0] === lang) ?? lang;
const format = new Intl.DateTimeFormat(own, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (!Number.isNaN(moment.valueOf())) time.textContent = format.format(moment);
}
