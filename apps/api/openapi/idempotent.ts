import { ApiHeader } from '@nestjs/swagger';

/** Documents that a POST honors `Idempotency-Key`. */
export const Idempotent = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });
