import * as z from "zod/mini";
import { listOf } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Coach, coachPageColumns, coachPageFields } from "./fields.ts";

export const CoachList = listOf(Coach, "coaches", "By name");

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
