import { render } from 'preact';

import { App } from './app.js';
import { ignoreInertButtons } from './inert-buttons.js';
import { keepFocus } from './keep-focus.js';
import { applyTheme } from './theme.js';

applyTheme();
ignoreInertButtons();
keepFocus();
const place = document.getElementById('app');
if (place) render(<App />, place);
