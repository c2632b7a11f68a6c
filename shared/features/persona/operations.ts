import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

const ofExperts = () => [errors.notTheExpert(), errors.coachNotFound()];
/** Of what not every role may do. */
const ofRoles = () => [errors.roleNotSufficient(), ...ofExperts()];

export const getDraft = defineOperation({
  name: "getDraft",
  scope: "expert",
  failure: "Failed to fetch the draft",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).CoachInput,
  output: async () => (await import("./replies.ts")).PersonaDraft,
  verb: async () => (await import("./get_draft.ts")).getDraft,
});

export const saveDraft = defineOperation({
  name: "saveDraft",
  scope: "expert",
  failure: "Failed to save the draft",
  errors: () => [...ofRoles(), errors.draftChanged(), errors.versionChanged()],
  input: async () => (await import("./schemas.ts")).SaveDraftInput,
  output: async () => (await import("./replies.ts")).PersonaDraft,
  verb: async () => (await import("./save_draft.ts")).saveDraft,
});

export const deleteDraft = defineOperation({
  name: "deleteDraft",
  scope: "expert",
  failure: "Failed to delete the draft",
  isRepeatable: true,
  errors: ofRoles,
  input: async () => (await import("./schemas.ts")).CoachInput,
  output: async () => (await import("./replies.ts")).DeletedDraft,
  verb: async () => (await import("./delete_draft.ts")).deleteDraft,
});

export const setPicture = defineOperation({
  name: "setPicture",
  scope: "expert",
  failure: "Failed to store the picture",
  errors: () => [
    ...ofRoles(),
    errors.invalidInput("The picture is damaged"),
    errors.bodyTooLarge("1024 KB"),
    errors.uploadTooSlow(),
    errors.pictureBusy(),
  ],
  input: async () => (await import("./schemas.ts")).SetPictureInput,
  output: async () => (await import("./replies.ts")).PersonaDraft,
  verb: async () => (await import("./set_picture.ts")).setPicture,
});

export const removePicture = defineOperation({
  name: "removePicture",
  scope: "expert",
  failure: "Failed to remove the picture",
  isRepeatable: true,
  errors: ofRoles,
  input: async () => (await import("./schemas.ts")).CoachInput,
  output: async () => (await import("./replies.ts")).PersonaDraft,
  verb: async () => (await import("./set_picture.ts")).removePicture,
});

export const publish = defineOperation({
  name: "publish",
  scope: "expert",
  failure: "Failed to publish",
  errors: () => [...ofRoles(), errors.versionChanged(), errors.draftChanged(), errors.nothingToPublish()],
  input: async () => (await import("./schemas.ts")).PublishInput,
  output: async () => (await import("./replies.ts")).PersonaVersion,
  verb: async () => (await import("./publish.ts")).publish,
});

export const listVersions = defineOperation({
  name: "listVersions",
  scope: "expert",
  failure: "Failed to fetch versions",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ListVersionsInput,
  output: async () => (await import("./replies.ts")).PersonaVersionList,
  verb: async () => (await import("./list_versions.ts")).listVersions,
});

export const getVersion = defineOperation({
  name: "getVersion",
  scope: "expert",
  failure: "Failed to fetch the version",
  errors: () => [...ofExperts(), errors.versionNotFound()],
  input: async () => (await import("./schemas.ts")).GetVersionInput,
  output: async () => (await import("./replies.ts")).PersonaVersion,
  verb: async () => (await import("./get_version.ts")).getVersion,
});

export const restoreVersion = defineOperation({
  name: "restoreVersion",
  scope: "expert",
  failure: "Failed to restore the version",
  errors: () => [
    ...ofRoles(),
    errors.versionNotFound(),
    errors.versionChanged(),
    errors.nothingToPublish(),
  ],
  input: async () => (await import("./schemas.ts")).RestoreVersionInput,
  output: async () => (await import("./replies.ts")).PersonaVersion,
  verb: async () => (await import("./restore_version.ts")).restoreVersion,
});
