/* Fills in the director's own time zone, until the season has one. */
const field = document.querySelector("input[data-zone]");
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
if (field && timeZone?.includes("/") && field.value === field.defaultValue) field.value = timeZone;
