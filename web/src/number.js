// Numbers as people read them.

/** 4 significant digits, plain where that is short. */
export function shown(value, digits = 4) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(digits)));
}

/** A share from 0 to 1; what is not quite 0 or 1 does not look like it. */
export function share(value) {
  if (value === null) return '–';
  if (value > 0 && value < 0.001) return '<0.001';
  if (value < 1 && value > 0.999) return '>0.999';
  return value.toFixed(3);
}

/** A function that writes all numbers of a column with the same number of decimals, so that they line up. */
export function aligned(numbers) {
  let largest = 0;
  let whole = true;
  for (const value of numbers) {
    if (value === null) continue;
    largest = Math.max(largest, Math.abs(value));
    whole = whole && Number.isInteger(value);
  }
  if (whole && largest < 1e9) return (value) => (value === null ? '–' : String(value));
  if (largest >= 1e6 || largest < 1e-3) return (value) => shown(value, 3);
  const decimals = Math.min(6, Math.max(0, 4 - Math.ceil(Math.log10(largest))));
  return (value) => {
    if (value === null) return '–';
    if (value === 0) return '0';
    // Too small for the decimals of its column: by its power of ten.
    return Math.abs(value) < 0.5 * 10 ** -decimals ? value.toExponential(0) : value.toFixed(decimals);
  };
}
