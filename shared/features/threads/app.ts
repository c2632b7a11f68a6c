import { defineRoute } from "../../http/route.ts";
import {
  deleteThread,
  eraseUser,
  getThread,
  listMessages,
  listThreads,
  markThreadRead,
  rateAnswer,
  updateThread,
} from "./operations.ts";

export const usersRoutes = [
  defineRoute({
    operation: listThreads,
    method: "GET",
    // An empty parameter is not a 404: the interface has a 400 for it.
    path: "/users/:userId{[^/]*}/threads",
    pathWithoutParameter: "/users/threads",
  }),
  defineRoute({
    operation: eraseUser,
    method: "DELETE",
    path: "/users/:userId{[^/]*}",
    pathWithoutParameter: "/users",
  }),
];

const threadPath = { path: "/threads/:threadId{[^/]*}", pathWithoutParameter: "/threads" };

export const threadsRoutes = [
  defineRoute({
    operation: listMessages,
    method: "GET",
    path: "/threads/:threadId{[^/]*}/messages",
    pathWithoutParameter: "/threads/messages",
  }),
  defineRoute({
    operation: rateAnswer,
    method: "PUT",
    path: "/threads/:threadId{[^/]*}/messages/:messageId{[^/]*}/feedback",
    body: "application/json",
  }),
  defineRoute({ operation: markThreadRead, method: "POST", path: "/threads/:threadId{[^/]*}/read" }),
  // After the longer routes, so that those without a parameter are not mistaken for a thread with that name.
  defineRoute({ operation: getThread, method: "GET", ...threadPath }),
  defineRoute({ operation: updateThread, method: "PATCH", ...threadPath, body: "application/json" }),
  defineRoute({ operation: deleteThread, method: "DELETE", ...threadPath }),
];
