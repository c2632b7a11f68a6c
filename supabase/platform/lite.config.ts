import { createPgliteConnection } from "@supabase/lite/pglite";
import { vector } from "@electric-sql/pglite/vector";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { Mailbox } from "./lite_auth.ts";
import { readStackState } from "./state.ts";

/** The settings of `@supabase/lite`, which cannot read the official config.toml. */
const state = await readStackState();

/** Receives the mails of Auth. */
export const mailbox = new Mailbox();

export default {
  connection: createPgliteConnection({
    // An upgrade works on a copy.
    url: Deno.env.get("POSTGRES_FOLDER") || state.path("postgres"),
    pgliteOptions: { extensions: { vector, pg_trgm } },
  }),
  storage: { enabled: true, file_size_limit: "50MiB" },
  auth: {
    enabled: true,
    enable_signup: true,
    // Links in mails lead here, and on to any page of this machine.
    site_url: Deno.env.get("PUBLIC_URL"),
    jwt_secret: state.secrets.jwtSecret,
    publishable_key: state.secrets.publishableKey,
    secret_key: state.secrets.secretKey,
    jwt_expiry: 3600,
    enable_refresh_token_rotation: true,
    minimum_password_length: 8,
  },
  options: { drivers: { email: mailbox } },
};
