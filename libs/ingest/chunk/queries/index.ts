import { bash } from './bash.js';
import { c } from './c.js';
import { cpp } from './cpp.js';
import { csharp } from './csharp.js';
import { css } from './css.js';
import { elixir } from './elixir.js';
import { go } from './go.js';
import { ini } from './ini.js';
import { java } from './java.js';
import { javascript } from './javascript.js';
import { kotlin } from './kotlin.js';
import type { LanguageQuery } from './language-query.js';
import { lua } from './lua.js';
import { php } from './php.js';
import { powershell } from './powershell.js';
import { python } from './python.js';
import { regex } from './regex.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { scala } from './scala.js';
import { tsx, typescript } from './typescript.js';

/** Languages that are cut by syntax, by the name that citations show. */
export const LANGUAGE_QUERIES: Readonly<Record<string, LanguageQuery>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  elixir,
  go,
  ini,
  java,
  javascript,
  kotlin,
  lua,
  php,
  powershell,
  python,
  regex,
  ruby,
  rust,
  scala,
  tsx,
  typescript,
};
