/** The name of the service, in its document and to AI clients. */
export const release = { title: "Human Intelligence Chat", version: "1.0.0" };
