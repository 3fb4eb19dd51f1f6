/* Shows UTC times as local times: dates in the page's language, clock times in the reader's own format. */
const { lang } = document.documentElement;
const own = navigator.languages.find((tag) => tag.split("-")[0] === lang) ?? lang;
const day = new Intl.DateTimeFormat(lang, { dateStyle: "long" });
const clock = new Intl.DateTimeFormat(own, { timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (!Number.isNaN(moment.valueOf())) time.textContent = `${day.format(moment)}, ${clock.format(moment)}`;
}
