// Read calendar files with a library: node read_feeds.cjs READER < files.json. Input and output are those of read_feeds.py.
const readers = {
  "ical.js": (text) => {
    const ICAL = require("ical.js").default ?? require("ical.js");
    const told = (at) => (at.isDate ? at.toString() : at.toJSDate() / 1000);
    return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((each) => {
      const event = new ICAL.Event(each);
      return [event.uid, told(event.startDate), told(event.endDate), each.getFirstPropertyValue("status")];
    });
  },
  "node-ical": (text) => {
    const day = (at) => new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
    const told = (at) => (at.dateOnly ? day(at) : at / 1000);
    return Object.values(require("node-ical").sync.parseICS(text))
      .filter((each) => each.type === "VEVENT")
      .map((each) => [each.uid, told(each.start), told(each.end), each.status]);
  },
};
const read = readers[process.argv[2]];
const found = {};
for (const text of JSON.parse(require("fs").readFileSync(0))) {
  for (const [uid, ...event] of read(text)) found[uid] = event;
}
console.log(JSON.stringify(found));
