// Read the standings with the types that openapi-typescript wrote: node use_types.js SERVER
import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const client = createClient<paths>({ baseUrl: process.argv[2] });
const number = (row: components["schemas"]["StandingRow"]): number | null => row.values.points_per_game;

const clubs = await client.GET("/clubs", { params: { query: { page: 1 } } });
const club: string = clubs.data!.clubs[0]!.slug;
const { data } = await client.GET("/clubs/{club}", { params: { path: { club } } });
const season: number = data!.current_season!;
const { data: read } = await client.GET("/clubs/{club}/seasons/{season}/standings", {
  params: { path: { club, season } },
});
const rows = read!.standings[0]!.rows;
// @ts-expect-error A rank may be null.
const rank: number = rows[0]!.rank;
// @ts-expect-error There is no such path.
void client.GET("/players");
const missing = await client.GET("/clubs/{club}", { params: { path: { club: "nobody" } } });
const sentence: string = missing.error!.error;
console.log(JSON.stringify([rank, rows.map(number), sentence]));
