import { errors } from "../../infra/errors.ts";

/**
 * The user whose data a path names: `me` is the signed-in one.
 *
 * @throws 403 if the caller is signed in as another user.
 */
export function requireNamedUser(asked: string, signedIn: string | null): string {
  if (signedIn === null) return asked;
  if (asked !== "me" && asked !== signedIn) throw errors.userMismatch();
  return signedIn;
}

/**
 * The same of what nobody may do for another user, not even a server with a key.
 *
 * @throws 401 if nobody is signed in, 403 if the caller is signed in as another user.
 */
export function requireSelf(asked: string, signedIn: string | null): string {
  if (signedIn === null) throw errors.signInFirst();
  return requireNamedUser(asked, signedIn);
}
