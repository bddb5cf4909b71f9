import { render } from 'preact';

import { App } from './app.js';

const place = document.getElementById('app');
if (place) render(<App />, place);
