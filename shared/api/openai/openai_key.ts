import { errors } from "../../base/errors.ts";
import { isPublishable, readBearer, type ReadKey } from "../../core/auth/shown_key.ts";

/**
 * The key of a client of OpenAI's API: in `X-API-Key`, where `Authorization` may then hold a user's token, or else in
 * `Authorization` itself. @throws 401 for a publishable key.
 */
export const readOpenaiKey: ReadKey = (header) => {
  const apiKey = header("X-API-Key") || readBearer(header("Authorization"));
  if (apiKey !== undefined && isPublishable(apiKey)) throw errors.publishableKeyRefused();
  return { apiKey, page: null };
};
