/** Injection token of what signs, reads and proves the trees of tenants. */
export const TRANSPARENCY = Symbol('Transparency');
