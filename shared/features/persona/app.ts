import { defineRoute } from "../../http/route.ts";
import {
  deleteDraft,
  getDraft,
  getVersion,
  listVersions,
  publish,
  removePicture,
  restoreVersion,
  saveDraft,
  setPicture,
} from "./operations.ts";

const coachPath = "/coaches/:coachId{[^/]*}";
const draftPath = `${coachPath}/draft`;
const picturePath = `${coachPath}/picture`;
const versionsPath = `${coachPath}/versions`;
const versionPath = `${versionsPath}/:version{[^/]*}`;

export const personaRoutes = [
  defineRoute({ operation: getDraft, method: "GET", path: draftPath }),
  defineRoute({
    operation: saveDraft,
    method: "PUT",
    path: draftPath,
    body: "application/json",
    maxBytes: 512 * 1024,
  }),
  defineRoute({ operation: deleteDraft, method: "DELETE", path: draftPath }),
  defineRoute({
    operation: setPicture,
    method: "PUT",
    path: picturePath,
    body: "image/*",
    readFields: async () => (await import("./read_picture.ts")).readPictureFields,
  }),
  defineRoute({ operation: removePicture, method: "DELETE", path: picturePath }),
  defineRoute({ operation: publish, method: "POST", path: `${coachPath}/publish`, body: "application/json" }),
  defineRoute({ operation: listVersions, method: "GET", path: versionsPath }),
  defineRoute({ operation: getVersion, method: "GET", path: versionPath }),
  defineRoute({
    operation: restoreVersion,
    method: "POST",
    path: `${versionPath}/restore`,
    body: "application/json",
    isBodyOptional: true,
  }),
];
