import { defineRoute } from "../../http/route.ts";
import {
  acceptInvitation,
  createCoach,
  createInvitation,
  deleteInvitation,
  listActs,
  listExperts,
  listInvitations,
  listOwnCoaches,
  previewInvitation,
  removeExpert,
  updateExpert,
} from "./operations.ts";

const expertsPath = "/coaches/:coachId{[^/]*}/experts";
const expertPath = `${expertsPath}/:userId{[^/]*}`;
const invitationsPath = "/coaches/:coachId{[^/]*}/invitations";

export const expertsRoutes = [
  defineRoute({
    operation: createCoach,
    method: "POST",
    path: "/coaches",
    body: "application/json",
    reply: () =>
      Promise.resolve((c, coach) =>
        c.body(coach as Uint8Array<ArrayBuffer>, 201, { "Content-Type": "application/json" })
      ),
  }),
  defineRoute({ operation: listExperts, method: "GET", path: expertsPath }),
  defineRoute({ operation: updateExpert, method: "PATCH", path: expertPath, body: "application/json" }),
  defineRoute({ operation: removeExpert, method: "DELETE", path: expertPath }),
  defineRoute({
    operation: previewInvitation,
    method: "POST",
    path: "/coaches/invitations/preview",
    body: "application/json",
  }),
  defineRoute({
    operation: acceptInvitation,
    method: "POST",
    path: "/coaches/invitations/accept",
    body: "application/json",
  }),
  defineRoute({ operation: createInvitation, method: "POST", path: invitationsPath, body: "application/json" }),
  defineRoute({ operation: listInvitations, method: "GET", path: invitationsPath }),
  defineRoute({
    operation: deleteInvitation,
    method: "DELETE",
    path: `${invitationsPath}/:invitationId{[^/]*}`,
  }),
  defineRoute({ operation: listActs, method: "GET", path: "/coaches/:coachId{[^/]*}/acts" }),
];

/** The address of the function `users` that lists the coaches of an expert. */
export const ownCoachesRoutes = [
  defineRoute({
    operation: listOwnCoaches,
    method: "GET",
    path: "/users/:userId{[^/]*}/coaches",
    pathWithoutParameter: "/users/coaches",
  }),
];
