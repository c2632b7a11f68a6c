import { defineRoute } from "../../http/route.ts";
import { addSource, deleteSource, getSource, listSources, refreshSource, updateSource } from "./operations.ts";

const sourcesPath = "/knowledge-handler/sources";
const sourcePath = `${sourcesPath}/:sourceId{[^/]*}`;

export const sourcesRoutes = [
  defineRoute({ operation: listSources, method: "GET", path: sourcesPath }),
  defineRoute({
    operation: addSource,
    method: "POST",
    path: sourcesPath,
    query: ["coachId"],
    body: "application/json",
  }),
  defineRoute({ operation: getSource, method: "GET", path: sourcePath }),
  defineRoute({
    operation: updateSource,
    method: "PATCH",
    path: sourcePath,
    query: ["coachId"],
    body: "application/json",
  }),
  defineRoute({ operation: deleteSource, method: "DELETE", path: sourcePath }),
  defineRoute({ operation: refreshSource, method: "POST", path: `${sourcePath}/refresh` }),
];
