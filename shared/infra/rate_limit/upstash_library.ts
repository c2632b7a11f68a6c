/** What is used of Upstash's clients. In a module of its own: where CommonJS is imported later, a bundle loses its names. */
export { Ratelimit } from "@upstash/ratelimit";
export { Redis } from "@upstash/redis";
