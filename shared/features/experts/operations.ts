import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/operation.ts";

const ofExperts = () => [errors.notTheExpert(), errors.coachNotFound()];
const ofOwners = () => [...ofExperts(), errors.roleNotSufficient()];

export const listExperts = defineOperation({
  name: "listExperts",
  scope: "expert",
  failure: "Failed to fetch the experts",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ListExpertsInput,
  output: async () => (await import("./replies.ts")).ExpertList,
  verb: async () => (await import("./list_experts.ts")).listExperts,
});

export const updateExpert = defineOperation({
  name: "updateExpert",
  scope: "expert",
  failure: "Failed to update the expert",
  // The same role twice is the same role.
  isRepeatable: true,
  errors: () => [...ofOwners(), errors.expertNotFound(), errors.lastOwner()],
  input: async () => (await import("./schemas.ts")).UpdateExpertInput,
  output: async () => (await import("./replies.ts")).Expert,
  verb: async () => (await import("./update_expert.ts")).updateExpert,
});

export const removeExpert = defineOperation({
  name: "removeExpert",
  scope: "expert",
  failure: "Failed to remove the expert",
  errors: () => [...ofOwners(), errors.expertNotFound(), errors.lastOwner()],
  input: async () => (await import("./schemas.ts")).RemoveExpertInput,
  output: async () => (await import("./replies.ts")).RemovedExpert,
  verb: async () => (await import("./remove_expert.ts")).removeExpert,
});

export const createInvitation = defineOperation({
  name: "createInvitation",
  scope: "expert",
  failure: "Failed to create the invitation",
  errors: () => [...ofOwners(), errors.tooManyInvitations()],
  input: async () => (await import("./schemas.ts")).CreateInvitationInput,
  output: async () => (await import("./replies.ts")).NewInvitation,
  verb: async () => (await import("./create_invitation.ts")).createInvitation,
});

export const listInvitations = defineOperation({
  name: "listInvitations",
  scope: "expert",
  failure: "Failed to fetch invitations",
  errors: ofOwners,
  input: async () => (await import("./schemas.ts")).ListInvitationsInput,
  output: async () => (await import("./replies.ts")).InvitationList,
  verb: async () => (await import("./list_invitations.ts")).listInvitations,
});

export const deleteInvitation = defineOperation({
  name: "deleteInvitation",
  scope: "expert",
  failure: "Failed to delete the invitation",
  errors: () => [...ofOwners(), errors.invitationNotFound()],
  input: async () => (await import("./schemas.ts")).DeleteInvitationInput,
  output: async () => (await import("./replies.ts")).DeletedInvitation,
  verb: async () => (await import("./delete_invitation.ts")).deleteInvitation,
});

export const listActs = defineOperation({
  name: "listActs",
  scope: "expert",
  failure: "Failed to fetch the history",
  errors: ofOwners,
  input: async () => (await import("./schemas.ts")).ListActsInput,
  output: async () => (await import("./replies.ts")).ActList,
  verb: async () => (await import("./list_acts.ts")).listActs,
});

export const previewInvitation = defineOperation({
  name: "previewInvitation",
  scope: "expert",
  failure: "Failed to fetch the invitation",
  isRepeatable: true,
  errors: () => [errors.invitationNotFound()],
  input: async () => (await import("./schemas.ts")).PreviewInvitationInput,
  output: async () => (await import("./replies.ts")).InvitationPreview,
  verb: async () => (await import("./preview_invitation.ts")).previewInvitation,
});

export const acceptInvitation = defineOperation({
  name: "acceptInvitation",
  scope: "expert",
  failure: "Failed to accept the invitation",
  errors: () => [errors.permanentUserRequired(), errors.invitationNotFound()],
  input: async () => (await import("./schemas.ts")).AcceptInvitationInput,
  output: async () => (await import("./replies.ts")).AcceptedInvitation,
  verb: async () => (await import("./accept_invitation.ts")).acceptInvitation,
});

export const listOwnCoaches = defineOperation({
  name: "listOwnCoaches",
  scope: "expert",
  failure: "Failed to fetch coaches",
  errors: () => [errors.userMismatch()],
  input: async () => (await import("./schemas.ts")).ListOwnCoachesInput,
  output: async () => (await import("./replies.ts")).OwnCoachList,
  verb: async () => (await import("./list_own_coaches.ts")).listOwnCoaches,
});

export const createCoach = defineOperation({
  name: "createCoach",
  scope: "expert",
  failure: "Failed to create the coach",
  errors: () => [errors.mayNotCreate(), errors.tooManyCoaches()],
  input: async () => (await import("../coaches/schemas.ts")).CreateCoachInput,
  output: async () => (await import("./replies.ts")).OwnCoach,
  verb: async () => (await import("../coaches/manage_coach.ts")).createCoach,
});
