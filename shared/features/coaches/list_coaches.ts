import * as z from "zod/mini";
import { Count, NextCursor } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Coach, coachPageColumns, coachPageFields } from "./fields.ts";

export const CoachList = z.object({
  data: z.array(Coach).check(z.describe("By name")),
  count: Count.check(z.describe("The number of coaches in `data`")),
  next_cursor: NextCursor,
});

/** The active coaches that the caller may talk to. */
export const operation = defineEndpoint({
  name: "listCoaches",
  method: "GET",
  path: "/coaches",
  scope: "chat",
  failure: "Failed to fetch coaches",
  input: z.object(coachPageFields),
  output: CoachList,
  verb: ({ database, services: { picturesUrl } }, page) =>
    database.callForBytes("list_coaches", { ...coachPageColumns(page), pictures_url: picturesUrl }),
});
