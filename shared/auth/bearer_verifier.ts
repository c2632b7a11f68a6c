/**
 * The id of the user whom a bearer token signs in; null when the token is only the key of an app.
 *
 * @throws 401 when it is not a valid, unexpired token that the project has issued to a user; 503 when the signing keys, or
 * the name under which the project issues tokens, cannot be fetched.
 */
export type VerifyBearer = (token: string) => Promise<string | null>;
