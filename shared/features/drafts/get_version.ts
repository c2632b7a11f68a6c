import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { numberOfVersion, PersonaVersion, version } from "./fields.ts";

/** A version of a persona. For its experts. */
export const operation = defineEndpoint({
  name: "getVersion",
  method: "GET",
  path: "/coaches/:coachId/versions/:version",
  scope: "expert",
  failure: "Failed to fetch the version",
  errors: () => [...ofExperts(), errors.versionNotFound()],
  input: z.object({ coachId, version }),
  output: PersonaVersion,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId, version }) =>
    database.callForBytes("get_version", {
      ...coachColumns({ coachId, userId }),
      version: numberOfVersion(version),
      pictures_url: picturesUrl,
    }),
});
