import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

const errorsOfExperts = () => [errors.signInFirst(), errors.notTheExpert(), errors.coachNotFound()];

export const getExpertMail = defineOperation({
  name: "getExpertMail",
  scope: "expert",
  failure: "Failed to fetch the mail settings",
  errors: errorsOfExperts,
  input: async () => (await import("./schemas.ts")).ExpertMailInput,
  output: async () => (await import("./replies.ts")).ExpertMail,
  verb: async () => (await import("./expert_mail.ts")).getExpertMail,
});

export const saveExpertMail = defineOperation({
  name: "saveExpertMail",
  scope: "expert",
  failure: "Failed to save the mail settings",
  isRepeatable: true,
  errors: errorsOfExperts,
  input: async () => (await import("./schemas.ts")).SaveExpertMailInput,
  output: async () => (await import("./replies.ts")).ExpertMail,
  verb: async () => (await import("./expert_mail.ts")).saveExpertMail,
});

const errorsOfUsers = () => [errors.signInFirst(), errors.userMismatch(), errors.mailNeedsUser()];

export const getUserMail = defineOperation({
  name: "getUserMail",
  scope: "threads:write",
  failure: "Failed to fetch the email address",
  errors: errorsOfUsers,
  input: async () => (await import("./schemas.ts")).UserMailInput,
  output: async () => (await import("./replies.ts")).UserMail,
  verb: async () => (await import("./user_mail.ts")).getUserMail,
});

export const saveUserMail = defineOperation({
  name: "saveUserMail",
  scope: "threads:write",
  failure: "Failed to save the email address",
  errors: () => [...errorsOfUsers(), errors.mailNotAvailable(), errors.tooManyMails()],
  input: async () => (await import("./schemas.ts")).SaveUserMailInput,
  output: async () => (await import("./replies.ts")).UserMail,
  verb: async () => (await import("./user_mail.ts")).saveUserMail,
});

export const deleteUserMail = defineOperation({
  name: "deleteUserMail",
  scope: "threads:write",
  failure: "Failed to delete the email address",
  isRepeatable: true,
  errors: errorsOfUsers,
  input: async () => (await import("./schemas.ts")).UserMailInput,
  output: async () => (await import("./replies.ts")).DeletedUserMail,
  verb: async () => (await import("./user_mail.ts")).deleteUserMail,
});
