// ESLint rule `plain-language`: keeps comments, messages and declared names to the language of
// CONTRIBUTING.md. References to names are not checked: their declaration is.
import { britishSpelling, openingQuestion, problemsOfProse } from './plain-words.mjs';

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
        for (const comment of paragraphs(sourceCode.getAllComments())) checkComment(comment);
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

    function checkComment({ loc, isDoc, text }) {
      for (const problem of problemsOfProse(text)) {
        context.report({ loc, messageId: 'prose', data: { problem } });
      }
      const word = isDoc ? openingQuestion(text) : undefined;
      if (word) context.report({ loc, messageId: 'opening', data: { word } });
    }
  },
};

/** Joins line comments that follow each other: a phrase may continue on the next line. */
function paragraphs(comments) {
  const joined = [];
  for (const { type, value, loc } of comments) {
    const last = joined.at(-1);
    if (type === 'Line' && last?.isLine && last.loc.end.line + 1 === loc.start.line) {
      last.text += ` ${value}`;
      last.loc = { start: last.loc.start, end: loc.end };
    } else {
      const isLine = type === 'Line';
      const text = isLine ? value : value.replace(/^\s*\*/gm, '');
      joined.push({ isLine, isDoc: !isLine && value.startsWith('*'), text, loc });
    }
  }
  return joined;
}

/** The plugin of this project, registered as `footnote` in `eslint.config.mjs`. */
export const plugin = { rules: { 'plain-language': rule } };
