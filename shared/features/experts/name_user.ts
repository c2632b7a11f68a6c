import { errors } from "../../base/errors.ts";

/** The user whom a path names: `me` is the signed-in one. @throws 401 for `me` if nobody is signed in. */
export function nameUser(asked: string, signedIn: string | null): string {
  if (asked !== "me") return asked;
  if (signedIn === null) throw errors.signInFirst();
  return signedIn;
}
