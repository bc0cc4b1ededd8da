// What lights the table. Everything is in world inches; colours are linear.
uniform vec3 sun_direction, sun_colour, sky_colour, ground_colour, rim_direction, rim_colour, fog_colour, grime_colour;
uniform float shadow_softness, grime;
uniform sampler2DShadow shadow_map;
uniform vec4 lamp_places[32];   // xyz, reach
uniform vec3 lamp_colours[32];
uniform int lamp_count;
uniform vec2 board_size, cell;
uniform sampler2D shore;        // r: inches into the water / 4, g: inches onto land / 4

// A square root instead of a power of 1/2.2: several milliseconds a frame in software.
vec3 tone_mapped(vec3 c) {
    c = c * (2.51 * c + .03) / (c * (2.43 * c + .59) + .14);
    return sqrt(clamp(c, 0., 1.)) * .985;
}
