import { render } from 'preact';

import { ApiPage } from './api-page.js';

const place = document.getElementById('app');
if (place) render(<ApiPage />, place);
