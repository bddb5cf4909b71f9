import { ApiHeader } from '@nestjs/swagger';

/** Documents that a POST honours `Idempotency-Key`. */
export const Idempotent = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 visible ASCII characters. The same key with the same body answers as the first time; with another body: 409 `idempotency_key_reused`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });
