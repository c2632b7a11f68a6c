import { errors } from "../../infra/errors.ts";

/** The page that sends a request, as its browser says. */
export type Page = {
  /** The origin of the page; null where none is named. */
  origin: string | null;
  /** True if the page has the origin of the service. Browsers then name no origin for requests that only read. */
  isSameOrigin: boolean;
  /** True if the key is part of the address: AI clients call the MCP server like that. */
  isForMcp: boolean;
};

/** The API key that a request shows, as text. */
export type ShownKey = {
  apiKey: string | undefined;
  /** Of a publishable key: the page that shows it. Null for a secret one. */
  page: Page | null;
};

/** Reads the key of a request from its headers. @throws 401 for a key in the header of the other kind. */
export type ReadKey = (header: (name: string) => string | undefined) => ShownKey;

/** The key in `X-API-Key`, which must be a secret one. */
export const readSecretKey: ReadKey = (header) => {
  const apiKey = header("X-API-Key");
  if (apiKey !== undefined && isPublishable(apiKey)) throw errors.misplacedPublishableKey();
  return { apiKey, page: null };
};

/** The key of a request: in `X-API-Key`, which wins, or a publishable one in `apikey`, which has the project's too. */
export const readShownKey: ReadKey = (header) => {
  const secret = readSecretKey(header);
  const publishable = header("apikey");
  if (secret.apiKey || !publishable?.startsWith("hi_")) return secret;
  if (!isPublishable(publishable)) throw errors.misplacedSecretKey();
  return {
    apiKey: publishable,
    page: {
      origin: header("Origin") ?? null,
      isSameOrigin: header("Sec-Fetch-Site") === "same-origin",
      isForMcp: false,
    },
  };
};

/** The token in the value of a header `Authorization`; undefined in any other value. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1];
}

/** Returns whether a text begins like a publishable key. */
export function isPublishable(text: string): boolean {
  return text.startsWith("hi_pub_");
}
