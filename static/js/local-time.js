/* Shows UTC times as local times: dates in the page's language, clock times in the reader's own format. */
const { lang } = document.documentElement;
const own = navigator.languages.find((tag) => tag.split("-")[0] === lang) ?? lang;
const day = new Intl.DateTimeFormat(lang, { dateStyle: "long" });
const clock = new Intl.DateTimeFormat(own, { timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (!Number.isNaN(moment.valueOf())) time.textContent = `${day.format(moment)}, ${clock.format(moment)}`;
}

/* On an evening in America it is tomorrow already where the server may stand: a date that is offered is this phone's. */
for (const field of document.querySelectorAll("input[data-today]")) {
  const now = new Date();
  if (field.value === field.defaultValue) field.value = new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
