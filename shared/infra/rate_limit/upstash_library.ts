/**
 * The part of Upstash's clients that is used. In a module of its own: a bundle loses the names of CommonJS that is
 * imported later.
 */
export { Ratelimit } from "@upstash/ratelimit";
export { Redis } from "@upstash/redis";
