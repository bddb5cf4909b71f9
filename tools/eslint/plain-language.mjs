// ESLint rule `plain-language`: keeps comments, messages and declared names to the language of
// CONTRIBUTING.md. References to names are not checked: their declaration is.
import { commentBlocks } from './comments.mjs';
import { britishSpelling, openingQuestion, problemsOfProse } from './plain-words.mjs';
import { shortSentences } from './short-sentences.mjs';

/** A string of fewer words is a name or a value, not a message. */
const MESSAGE_WORDS = 3;
const MEMBERS = 'PropertyDefinition, MethodDefinition, TSPropertySignature, TSMethodSignature';
const DECLARATIONS = [
  'VariableDeclarator',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
].join(', ');

const rule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'keep comments, messages and names in plain American English' },
    schema: [],
    messages: {
      prose: '{{problem}}',
      opening: 'Open a doc comment with a third-person verb or a noun, not with "{{word}}".',
      name: 'Use American spelling in names (found "{{word}}" in "{{name}}").',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const checkMessage = (node, text) => {
      if (text.trim().split(/\s+/).length < MESSAGE_WORDS) return;
      for (const problem of problemsOfProse(text)) {
        context.report({ node, messageId: 'prose', data: { problem } });
      }
    };
    const checkName = (node, name) => {
      const word = britishSpelling(name);
      if (word) context.report({ node, messageId: 'name', data: { word, name } });
    };
    return {
      Program() {
        for (const comment of commentBlocks(sourceCode.getAllComments())) checkComment(comment);
      },
      Literal(node) {
        if (typeof node.value === 'string') checkMessage(node, node.value);
      },
      TemplateLiteral(node) {
        checkMessage(node, node.quasis.map(({ value }) => value.raw).join('…'));
      },
      [DECLARATIONS](node) {
        for (const { name, identifiers } of sourceCode.getDeclaredVariables(node)) {
          if (identifiers[0]) checkName(identifiers[0], name);
        }
      },
      [MEMBERS]({ key }) {
        if (key.type === 'Identifier') checkName(key, key.name);
      },
    };

    function checkComment({ loc, isDoc, isLine, lines }) {
      const text = lines.join(isLine ? ' ' : '\n');
      for (const problem of problemsOfProse(text)) {
        context.report({ loc, messageId: 'prose', data: { problem } });
      }
      const word = isDoc ? openingQuestion(text) : undefined;
      if (word) context.report({ loc, messageId: 'opening', data: { word } });
    }
  },
};

/** The plugin of this project, registered as `footnote` in `eslint.config.mjs`. */
export const plugin = { rules: { 'plain-language': rule, 'short-sentences': shortSentences } };
