/** Who issues tokens for the users of an account, beside the project's own Auth. */
export type TokenIssuer = {
  /** What the ids of its users begin with, before a colon. */
  name: string;
  /** `iss` of its tokens. */
  issuer: string;
  /** Where it publishes its keys. */
  jwksUrl: string;
  /** What its tokens must name as their audience. */
  audience: string;
};

/**
 * The id of the user whom a bearer token signs in; null when the token is only the key of an app.
 *
 * @param findIssuers the issuers of the account that is called; only asked for where the project has not issued the token
 * @throws 401 when it is not a valid, unexpired token that the project or such an issuer has issued to a user; 503 when the
 * issuers, their keys, or the name under which the project issues tokens cannot be fetched.
 */
export type VerifyBearer = (token: string, findIssuers: () => Promise<TokenIssuer[]>) => Promise<string | null>;
