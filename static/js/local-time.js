/* Shows UTC times as local times: dates in the page's language, clock times in the reader's own format. */
const { lang } = document.documentElement;
const own = navigator.languages.find((tag) => tag.split("-")[0] === lang) ?? lang;
const day = new Intl.DateTimeFormat(lang, { dateStyle: "long" });
const clock = new Intl.DateTimeFormat(own, { timeStyle: "short" });

const weekday = new Intl.DateTimeFormat(lang, { weekday: "long" });
const dated = new Intl.DateTimeFormat(lang, { weekday: "long", month: "long", day: "numeric" });

/* An evening lasts until 5 in the morning. */
const eveningOf = (moment) => new Date(new Date(moment - 5 * 3_600_000).setHours(12, 0, 0, 0));

const eveningText = (moment, { today, yesterday, last }) => {
  const evening = eveningOf(moment);
  const ago = Math.round((eveningOf(new Date()) - evening) / 86_400_000);
  if (ago < 2) return ago < 1 ? today : yesterday;
  const text = ago < 7 ? last.replace("{day}", weekday.format(evening)) : dated.format(evening);
  return text[0].toUpperCase() + text.slice(1);
};

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.valueOf())) continue;
  if (time.dataset.last) time.textContent = eveningText(moment, time.dataset);
  else time.textContent = "day" in time.dataset ? day.format(eveningOf(moment)) : `${day.format(moment)}, ${clock.format(moment)}`;
}

/* Days in a search are those of this phone, as evenings are. */
for (const field of document.querySelectorAll("input[data-offset]")) field.value = String(-new Date().getTimezoneOffset() - 300);

/* On an evening in America it is tomorrow already where the server may stand: a date that is offered is this phone's. */
for (const field of document.querySelectorAll("input[data-today]")) {
  const now = new Date();
  if (field.value === field.defaultValue) field.value = new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
