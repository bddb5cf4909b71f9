import type { LanguageQuery } from './language-query.js';

/** Blocks read as they are referred to: `aws_vpc.main`, `module.cluster`, `variable.region`. */
export const hcl: LanguageQuery = {
  grammar: 'hcl',
  definitions: `
(config_file (body (block . (identifier) @name . (block_start)) @def))
(config_file (body (block . (identifier) @owner . (string_lit (template_literal) @name) . (block_start)) @def))
(config_file (body (block . (identifier)
  . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name) . (block_start)) @def))
(config_file (body (attribute . (identifier) @name) @const))
(config_file (body (block . (identifier) @_kind (body (attribute . (identifier) @name) @const)
  (#eq? @_kind "locals"))))
`,
};
