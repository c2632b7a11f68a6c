/** An error in the form of Supabase Auth's own endpoints. */
export function refuse(code: number, error_code: string, msg: string): Response {
  return Response.json({ code, error_code, msg }, { status: code });
}

/** An error of the token endpoint, in the form of RFC 6749. */
export function refuseGrant(error: string, error_description: string): Response {
  return Response.json({ error, error_description }, { status: 400 });
}
