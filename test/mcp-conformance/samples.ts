/** A PNG image of one red pixel. */
export const IMAGE = {
  type: 'image' as const,
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
};

/** A WAV file without samples. */
export const AUDIO = {
  type: 'audio' as const,
  mimeType: 'audio/wav',
  data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=',
};

/** Returns a content block of text. */
export function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}
