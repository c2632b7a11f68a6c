import { defineRoute } from "../../http/route.ts";
import { deleteUserMail, getExpertMail, getUserMail, saveExpertMail, saveUserMail } from "./operations.ts";

const expertPath = "/coaches/:coachId{[^/]*}/experts/me/mail";

/** The addresses of the function `coaches` where experts choose their mails. */
export const expertMailRoutes = [
  defineRoute({ operation: getExpertMail, method: "GET", path: expertPath }),
  defineRoute({ operation: saveExpertMail, method: "PUT", path: expertPath, body: "application/json" }),
];

const userPath = { path: "/users/:userId{[^/]*}/mail", pathWithoutParameter: "/users/mail" };

/** The addresses of the function `users` where people who ask choose their mails. */
export const userMailRoutes = [
  defineRoute({ operation: getUserMail, method: "GET", ...userPath }),
  defineRoute({ operation: saveUserMail, method: "PUT", ...userPath, body: "application/json" }),
  defineRoute({ operation: deleteUserMail, method: "DELETE", ...userPath }),
];
