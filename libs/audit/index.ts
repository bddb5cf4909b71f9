export { canonicalJson, jsonSha256 } from './canonical-json.js';
