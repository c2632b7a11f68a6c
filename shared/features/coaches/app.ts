import type { ReadFields } from "../../http/endpoint.ts";
import { defineRoute } from "../../http/route.ts";
import { deleteCoach, getCoach, getSettings, listCoaches, saveSettings } from "./operations.ts";

const settingsPath = "/coaches/:coachId{[^/]*}/settings";

/** A body is not sent with a DELETE by every client. */
const readConfirm: ReadFields = (c) => {
  const confirm = c.req.query("confirm");
  return confirm === undefined ? {} : { confirm };
};

export const coachesRoutes = [
  defineRoute({ operation: listCoaches, method: "GET", path: "/coaches" }),
  // An empty parameter is a 400, as in the interface's own paths.
  defineRoute({ operation: getCoach, method: "GET", path: "/coaches/:coachId{[^/]*}" }),
  defineRoute({
    operation: deleteCoach,
    method: "DELETE",
    path: "/coaches/:coachId{[^/]*}",
    body: "application/json",
    isBodyOptional: true,
    readFields: () => Promise.resolve(readConfirm),
  }),
  defineRoute({ operation: getSettings, method: "GET", path: settingsPath }),
  defineRoute({ operation: saveSettings, method: "PATCH", path: settingsPath, body: "application/json" }),
];
